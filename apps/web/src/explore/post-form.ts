import { csrfToken } from '../shared/csrf.ts'

/** Navigates to another page with a form POST, since the fields may be too long for a URL. */
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
