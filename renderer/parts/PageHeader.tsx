import { type ReactNode, useEffect } from 'react';

/** The page's `h1`; also sets the document title. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Robot Desktop`;
  }, [title]);
  return (
    <header className="row page-header">
      <h1 tabIndex={-1} dir="auto">
        {title}
      </h1>
      {children && <div className="row">{children}</div>}
    </header>
  );
}
