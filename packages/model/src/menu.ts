import Type from 'typebox'
import { openObject } from './fields.ts'
import { defineRoute } from './route.ts'

/** A navigation entry. A menu has `childs`; `-` is a separator. */
export interface MenuItem {
  name: string
  icon: string
  label: string
  url?: string
  childs?: (MenuItem | '-')[]
}

export const menuRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/menu/',
  summary: 'Lists the navigation entries that the caller may open',
  body: 'none',
  reply: openObject({ result: Type.Array(Type.Unsafe<MenuItem>({ type: 'object' })) }),
  can: ['can_get', 'MenuApi'],
  object: 'only entries that the caller may open',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})
