import type { DatasetDetail } from '@parquetry/model'
import { api } from '../api.ts'

export const fetchDataset = async (id: number, signal?: AbortSignal): Promise<DatasetDetail> =>
  (await api.get('/api/v1/dataset/:id', { params: { id }, ...(signal && { signal }) })).result
