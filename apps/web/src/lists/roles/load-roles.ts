import type { LoadOptions } from '@parquetry/ui'
import { api } from '../../shared/api.ts'

/** Roles whose name contains the typed text, without one of them. */
export const loadRelatedRoles =
  (except: number): LoadOptions<string> =>
  async (filter, page, signal) => {
    const { count, result } = await api.get('/api/v1/security/roles/', {
      q: {
        columns: ['id', 'name'],
        filters: filter === '' ? [] : [{ col: 'name', opr: 'ct', value: filter }],
        order_column: 'name',
        order_direction: 'asc',
        page,
        page_size: 100,
      },
      signal,
    })
    const options = result.filter(({ id }) => id !== except).map(({ id, name }) => ({ value: String(id), label: name }))
    return { count, options }
  }
