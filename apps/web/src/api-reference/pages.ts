import { definePage } from '../shared/page.ts'

export interface ApiReferenceSearch {
  /** Text to search for. */
  q: string
  /** `operationId` of the open call. */
  call: string | null
}

export const apiReference = definePage<ApiReferenceSearch>({
  name: 'apiReference',
  frame: 'browse',
  search: ({ q = '', call }) => ({ q, call: call || null }),
  load: async () => (await import('./ApiReferencePage.tsx')).ApiReferencePage,
})

export const pages = [apiReference]
