const maxRecent = 5

/** Unique datasets of charts, in the order of the charts. Deleted datasets have no name and are omitted. */
export function chartedDatasets(
  charts: readonly { datasource_id: number; datasource_name_text: string | null }[],
): { id: number; name: string }[] {
  const found = new Map<number, string>()
  for (const { datasource_id, datasource_name_text } of charts)
    if (datasource_name_text && !found.has(datasource_id)) found.set(datasource_id, datasource_name_text)
  return [...found].slice(0, maxRecent).map(([id, name]) => ({ id, name }))
}
