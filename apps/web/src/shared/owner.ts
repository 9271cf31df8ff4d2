/** An owner as shown in lists. */
export interface Owner {
  id: number
  first_name: string
  last_name: string
}
