import { type RefObject, useEffect, useRef } from 'react';
import { useRoute } from '../../navigation/route.ts';

/**
 * Scrolls to a section that the address asks for, `?section=mail`: other settings may be above it.
 * @param isReady whether the settings above have their height
 * @returns the reference for the section
 */
export function useAskedSection(name: string, isReady: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const isAsked = new URLSearchParams(useRoute().query).get('section') === name;
  useEffect(() => {
    if (isAsked && isReady) section.current?.scrollIntoView({ block: 'start' });
  }, [isAsked, isReady]);
  return section;
}
