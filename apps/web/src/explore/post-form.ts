import { csrfToken } from '../shared/csrf.ts'

/** Leaves the page for another one, which gets these fields as a posted form: they may be longer than an address. */
export function postForm(address: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = address
  for (const [name, value] of Object.entries({ ...fields, csrf_token: csrfToken() })) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
