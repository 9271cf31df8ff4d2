import { secretMask } from './uri.ts'

const secretName =
  /passw|pwd|secret|token|passphrase|private_?key(?!_path)|api_?key|access_?key|credentials?_(?!path)|^credentials?$/i
/** A secret in a connection string of a driver, such as `odbc_connect`. */
const nestedSecret = /((?:^|[;\s{"'])(?:pwd|password|token|secret)\s*=\s*)(\{[^}]*\}|[^;]*)/gi

/**
 * Returns the value of a driver argument with a mask in place of a secret, which is recognized by the name of the argument or by a
 * name inside of the value.
 */
export function maskSecret(name: string, value: string): string {
  if (value === '') return value
  return secretName.test(name) ? secretMask : value.replace(nestedSecret, `$1${secretMask}`)
}
