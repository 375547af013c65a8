import { useState } from 'react';

/** The folder of a form: typed, until another one arrives with the address, where the window's dialog puts it. */
export function useFolder(fromAddress: string, otherwise = '') {
  const [folder, setFolder] = useState(fromAddress || otherwise);
  const [arrived, setArrived] = useState(fromAddress);
  if (fromAddress !== arrived) {
    setArrived(fromAddress);
    if (fromAddress !== '') setFolder(fromAddress);
  }
  return [folder, setFolder] as const;
}
