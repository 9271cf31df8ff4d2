const field = document.querySelector<HTMLInputElement>('#csrf_token')
let token = field?.value ?? ''

/** Sent as `X-CSRFToken` with every call that changes data. */
export const csrfToken = (): string => token

export function setCsrfToken(next: string): void {
  token = next
  if (field) field.value = next
}

/** Fetches a new token after signing in again or when the old one expired. False when there is no session. */
export async function renewCsrfToken(): Promise<boolean> {
  const response = await fetch('/api/v1/security/csrf_token/')
  if (!response.ok) return false
  const { result } = (await response.json()) as { result: string }
  setCsrfToken(result)
  return true
}
