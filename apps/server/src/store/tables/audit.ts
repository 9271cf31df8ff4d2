/** Authors and times of the creation and the last change of a row. Set by the store functions only. */
export interface Audit {
  created_on: string
  changed_on: string
  created_by_fk: number | null
  changed_by_fk: number | null
}
