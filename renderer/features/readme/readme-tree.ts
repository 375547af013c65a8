import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { prepareTree, type TreeNode } from './foreign-tree.ts';

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype) // leaves HTML out
  .use(rehypeSanitize)
  .use(prepareTree);

/**
 * Parses foreign Markdown into a sanitised tree of bounded size. A README made for it takes minutes and gigabytes, so
 * this runs in a worker.
 */
export function readmeTree(markdown: string): TreeNode {
  return processor.runSync(processor.parse(markdown)) as TreeNode;
}
