// A game with its variations: nodes that know their parent and children. Node 0 is the start.

export class Tree {
  constructor() {
    this.nodes = [{ move: null, label: "", parent: null, children: [], comment: "", nags: [], value: null }];
    this.at = 0;
  }

  get node() {
    return this.nodes[this.at];
  }

  /** The numbers of the nodes from the first move to `index`. */
  path(index = this.at) {
    const path = [];
    for (let i = index; i !== 0 && i != null; i = this.nodes[i].parent) path.unshift(i);
    return path;
  }

  moves(index = this.at) {
    return this.path(index).map((i) => this.nodes[i].move);
  }

  /** The main line through the present node, to its end. */
  line() {
    const line = [0, ...this.path()];
    let last = this.at;
    while (this.nodes[last].children.length) {
      last = this.nodes[last].children[0];
      line.push(last);
    }
    return line;
  }

  /** Plays a move after the present node: along a known line, or as a new one. */
  play({ move, label }) {
    const known = this.node.children.find((i) => this.nodes[i].move === move);
    this.at = known ?? this.add(this.at, { move, label });
    return this.at;
  }

  add(parent, { move, label, comment = "", nags = [] }) {
    this.nodes.push({ move, label, parent, children: [], comment, nags, value: null });
    const index = this.nodes.length - 1;
    this.nodes[parent].children.push(index);
    return index;
  }

  /** Takes the present move back, with all that follows it. */
  remove() {
    const gone = this.at;
    if (gone === 0) return;
    this.at = this.node.parent;
    this.node.children = this.node.children.filter((i) => i !== gone);
  }

  back() {
    if (this.at !== 0) this.at = this.node.parent;
  }

  forward() {
    if (this.node.children.length) this.at = this.node.children[0];
  }

  first() {
    this.at = 0;
  }

  last() {
    while (this.node.children.length) this.at = this.node.children[0];
  }

  /** The nodes as the API takes and saves them: parents first, removed ones left out. */
  record() {
    const nodes = [];
    const numbers = new Map([[0, null]]);
    const stack = [...this.nodes[0].children].reverse();
    while (stack.length) {
      const index = stack.pop();
      const { move, label, parent, comment, nags, value, children } = this.nodes[index];
      numbers.set(index, nodes.length);
      nodes.push({ move, label, parent: numbers.get(parent), comment, nags, value });
      stack.push(...[...children].reverse());
    }
    return { nodes, at: numbers.get(this.at) };
  }

  static from(nodes, at) {
    const tree = new Tree();
    for (const node of nodes) {
      const index = tree.add(node.parent == null ? 0 : node.parent + 1, node);
      tree.nodes[index].value = node.value ?? null;
    }
    tree.at = at == null ? 0 : at + 1;
    return tree;
  }
}
