import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** The part of a tree of HTML elements that the changes here need. */
export interface TreeNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
  position?: unknown;
}

/** More elements than this are left out, since a page shows all of them at once. */
const MAX_NODES = 3_000;
const MAX_DEPTH = 40;
/** More images are their text: each of the others is a button or a link with parts of its own. */
const MAX_IMAGES = 100;

const blocks = new Set(['p', 'li', 'blockquote', 'td', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/**
 * Changes the tree of a README for the page around it: each block has the direction of its own text, headings come below
 * those of the page, an image in a link is its text, and the number of elements and images is bounded.
 */
function prepareTree(): (tree: TreeNode) => void {
  return (tree) => {
    let left = MAX_NODES;
    let images = 0;
    function prepare(node: TreeNode, depth: number, inLink: boolean): void {
      const isLink = inLink || node.tagName === 'a';
      const kept: TreeNode[] = [];
      for (const child of depth < MAX_DEPTH ? (node.children ?? []) : []) {
        if (left <= 0) break;
        left -= 1;
        if (child.tagName === 'img') images += 1;
        const shown = isLink || images > MAX_IMAGES ? withoutImage(child) : child;
        delete shown.position; // its place in the source would be sent to the page, too
        if (shown.type === 'element') prepare(shown, depth + 1, isLink);
        kept.push(shown);
      }
      node.children = kept;
      changeElement(node);
    }
    prepare(tree, 0, false);
  };
}

function changeElement(node: TreeNode): void {
  if (node.tagName === undefined) return;
  if (blocks.has(node.tagName)) node.properties = { ...node.properties, dir: 'auto' };
  const level = /^h([1-6])$/.exec(node.tagName)?.[1];
  if (level !== undefined) node.tagName = `h${Math.min(6, Number(level) + 2)}`;
}

/** A link with a badge stays a link. */
function withoutImage(node: TreeNode): TreeNode {
  if (node.tagName !== 'img') return node;
  const alt = node.properties?.['alt'];
  return { type: 'text', value: typeof alt === 'string' && alt !== '' ? alt : 'image' };
}

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
