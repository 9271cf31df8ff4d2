/** A step of a query plan, with the steps that feed it. */
export interface PlanNode {
  name: string
  /** Text of the engine without a unit; null where it gives none. */
  estimatedRows: string | null
  actualRows: string | null
  /** In the unit of the engine. */
  cost: string | null
  /** With its unit. */
  time: string | null
  /** Lines such as `Filter: (a > 1)`. */
  details: string[]
  children: PlanNode[]
}

export const newPlanNode = (name: string, part: Partial<PlanNode> = {}): PlanNode => ({
  name,
  estimatedRows: null,
  actualRows: null,
  cost: null,
  time: null,
  details: [],
  children: [],
  ...part,
})

/** Adds a node below the last one that is less deep. @param path  the last node of each depth so far, outermost first */
export function addAtDepth(
  roots: PlanNode[],
  path: { depth: number; node: PlanNode }[],
  depth: number,
  node: PlanNode,
): void {
  while ((path.at(-1)?.depth ?? -1) >= depth) path.pop()
  ;(path.at(-1)?.node.children ?? roots).push(node)
  path.push({ depth, node })
}
