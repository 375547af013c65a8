import { type ReactNode, useEffect } from 'react';

/** The one `h1` of a page, which also names the window. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Robot Desktop`;
  }, [title]);
  return (
    <header className="page-header">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <div className="row">{children}</div>}
    </header>
  );
}
