/** A person as lists show owners. */
export interface Owner {
  id: number
  first_name: string
  last_name: string
}
