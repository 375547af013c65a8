import { MAX_REGULAR_BYTES } from './large-files.ts';

/** The hook by which the hub refuses a push with files that it takes as large files only: big ones and binary ones. */
export const pushCheck = `#!/bin/sh
refuse() {
  echo "-------------------------------------------------------------------------" >&2
  echo "Your push was rejected because it contains $1." >&2
  echo "Offending files: $2" >&2
  echo "-------------------------------------------------------------------------" >&2
  exit 1
}
while read -r old new ref; do
  case "$new" in *[!0]*) ;; *) continue ;; esac
  git rev-list --objects "$new" --not --all |
    git cat-file --batch-check="%(objecttype) %(objectname) %(objectsize) %(rest)" |
    while read -r type id size path; do
      [ "$type" = blob ] || continue
      [ "$size" -gt ${MAX_REGULAR_BYTES} ] && refuse "files larger than 10 MiB" "$path"
      start=$(git cat-file blob "$id" | head -c 8000 | wc -c)
      text=$(git cat-file blob "$id" | head -c 8000 | tr -d '\\000' | wc -c)
      [ "$start" -eq "$text" ] || refuse "binary files" "$path"
    done || exit 1
done
`;
