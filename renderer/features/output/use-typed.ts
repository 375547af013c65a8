import { useEffect, useState } from 'react';

const TYPING_MS = 250;

/** A typed text, once it has not changed for some time; without spaces around it. */
export function useTyped(text: string): string {
  const value = text.trim();
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return late;
}
