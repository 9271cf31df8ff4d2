interface Custom {
  data: unknown[]
  renderItem: (params: { dataIndex: number }, api: object) => { children: unknown[] } | null
}

/**
 * Returns the shapes of the first series of an option, mark by mark, as requested by ECharts; the last ones belong to no mark.
 */
export function renderMarkShapes<S>(
  { series }: Record<string, unknown>,
  { width, height }: { width: number; height: number },
): S[][] {
  const [{ data, renderItem }] = series as [Custom]
  const api = { getWidth: () => width, getHeight: () => height }
  return data.map((_, dataIndex) => (renderItem({ dataIndex }, api)?.children ?? []) as S[])
}
