import { type Attributes, message } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import { FieldErrorCollector, invalidPayload } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'

const maxAttributes = 100
/** Limit for all attributes together: they are loaded with each of the user's sessions. */
const maxValues = 1000

/** @throws AppError `invalid_payload` naming the field, for names that a template could not use */
export function checkAttributes(attributes: Attributes | undefined): void {
  if (!attributes) return
  const errors = new FieldErrorCollector(invalidPayload)
  const names = Object.keys(attributes)
  const invalid = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))
  if (invalid !== undefined)
    errors.add(
      'attributes',
      message(
        'errors.user.attributeName',
        '"{name}" is not a name of an attribute. Use up to 64 letters, digits and underscores, starting with a letter.',
        { name: invalid.slice(0, 64) },
      ),
    )
  else if (names.length > maxAttributes)
    errors.add(
      'attributes',
      message('errors.user.attributeCount', 'At most {max} attributes are allowed.', { max: maxAttributes }),
    )
  else if (Object.values(attributes).flat().length > maxValues)
    errors.add(
      'attributes',
      message('errors.user.attributeValues', 'At most {max} values are allowed in all attributes together.', {
        max: maxValues,
      }),
    )
  errors.throwIfAny()
}

/** Replaces all attributes of a user or a group. */
export async function replaceAttributes(
  trx: Transaction<Tables>,
  table: 'user_attribute' | 'group_attribute',
  id: number,
  attributes: Attributes,
): Promise<void> {
  const column = sql.ref(table === 'user_attribute' ? 'user_id' : 'group_id')
  await sql`delete from ${sql.table(table)} where ${column} = ${id}`.execute(trx)
  const rows = Object.entries(attributes).flatMap(([name, values]) =>
    [...new Set(values)].map((value) => sql`(${id}, ${name}, ${value})`),
  )
  for (let index = 0; index < rows.length; index += 1000)
    await sql`insert into ${sql.table(table)} (${column}, name, value)
      values ${sql.join(rows.slice(index, index + 1000))}`.execute(trx)
}
