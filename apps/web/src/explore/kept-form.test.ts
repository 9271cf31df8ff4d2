import { expect, it } from 'vitest'
import { keptForm } from './kept-form.ts'

it('SHARE-002: a kept form is JSON text without the parameters of the address', () => {
  const form = { viz_type: 'pie', datasource: '1__table', row_limit: 5, url_params: { country: 'fr' } }
  expect(JSON.parse(keptForm(form))).toEqual({ viz_type: 'pie', datasource: '1__table', row_limit: 5 })
  expect(form).toHaveProperty('url_params')
})
