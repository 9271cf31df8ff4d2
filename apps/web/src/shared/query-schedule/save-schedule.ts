import type { SavedQueryBody } from '@parquetry/model'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { withScheduleInfo, type ScheduleInfo } from './schedule.ts'

/** The name of a saved query, and the `extra_json` with its schedule. */
export async function fetchScheduled(
  id: number,
  signal?: AbortSignal,
): Promise<{ label: string; extra: string | null }> {
  const q = { columns: ['label' as const, 'extra_json' as const], keys: ['none' as const] }
  const { result } = await api.get('/api/v1/saved_query/:id', { params: { id }, q, signal })
  return { label: result.label ?? '', extra: result.extra_json ?? null }
}

/**
 * Changes the schedule of a saved query, and other fields with it; null removes the schedule.
 * @throws ApiError
 */
export async function saveSchedule(id: number, info: ScheduleInfo | null, fields: SavedQueryBody = {}): Promise<void> {
  const { extra } = await fetchScheduled(id)
  const extra_json = withScheduleInfo(extra, info)
  await api.put('/api/v1/saved_query/:id', { params: { id }, body: { ...fields, extra_json } })
  void queryClient.invalidateQueries({ queryKey: ['saved_query'] })
}
