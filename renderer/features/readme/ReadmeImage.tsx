import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Foreign } from '../../parts/Foreign.tsx';
import { useAsked } from '../../store/use-asked.ts';
import { type ImageTarget, imageOf } from './readme-links.ts';
import type { ReadmePlace } from './readme-place.ts';

interface ReadmeImageProps {
  readonly src: string;
  readonly alt: string;
  readonly place: ReadmePlace;
}

/** An image of a README. One of the repository is shown after a click; another is a link that names its host. */
export function ReadmeImage({ src, alt, place }: ReadmeImageProps) {
  const target = imageOf(src, place);
  const [asked, setAsked] = useState(false);
  const slot = useRef<HTMLSpanElement>(null);
  if (!target) return alt ? <Foreign>{alt}</Foreign> : null;
  if (target.kind === 'elsewhere') return <ImageElsewhere target={target} alt={alt} />;
  function show(): void {
    slot.current?.focus({ preventScroll: true }); // the button goes away
    setAsked(true);
  }
  return (
    <span className="readme-slot" tabIndex={-1} ref={slot}>
      {asked ? (
        <OwnImage path={target.path} alt={alt} place={place} />
      ) : (
        <Button className="readme-show" variant="default" size="compact-sm" onClick={show}>
          Show the image <Foreign>{alt || target.path}</Foreign>
        </Button>
      )}
    </span>
  );
}

function ImageElsewhere({
  target,
  alt,
}: {
  readonly target: ImageTarget & { kind: 'elsewhere' };
  readonly alt: string;
}) {
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer">
      Image at <Foreign>{target.host}</Foreign>
      {alt && (
        <>
          : <Foreign>{alt}</Foreign>
        </>
      )}
    </a>
  );
}

interface OwnImageProps extends Pick<ReadmeImageProps, 'alt' | 'place'> {
  readonly path: string;
}

function OwnImage({ path, alt, place }: OwnImageProps) {
  const { value, error, again } = useAsked(['readme-image', place.key, path], (call, signal) => {
    if (!place.image) throw new Error('This README has no images of its own.');
    return place.image(call, path, signal);
  });
  if (value) return <img className="readme-image" src={`data:${value.type};base64,${value.base64}`} alt={alt} />;
  if (!error) return <span className="muted">Loading the image…</span>;
  return (
    <span>
      <Foreign>{alt || path}</Foreign>: <span role="alert">{error.message}</span>{' '}
      <Button variant="default" size="compact-sm" onClick={again}>
        Try again
      </Button>
    </span>
  );
}
