import { type FieldMessages, type ImportSummary, translateFieldError, translateMessage } from '@parquetry/model'
import type { errorTranslator } from '../settings/messages.ts'
import { toImportedObject } from './import-bundle.ts'
import { objectKey } from './source-ids.ts'
import type { ImportPlan } from './import-plan.ts'

/** All sentences of the problems of a file, with the names of fields. */
function listProblems(found: FieldMessages[string], translate: ReturnType<typeof errorTranslator>): string[] {
  const translated: unknown = translateFieldError(found, translate)
  const flatten = (value: unknown, field = ''): string[] => {
    if (typeof value === 'string') return [field === '' || field === '_schema' ? value : `${field}: ${value}`]
    if (Array.isArray(value)) return value.flatMap((each) => flatten(each, field))
    return Object.entries((value ?? {}) as object).flatMap(([name, each]) => flatten(each, name))
  }
  return flatten(translated)
}

/** Builds the report of a preview or an import, in the language of the server. */
export const summarize = (
  { plan, ids }: { plan: ImportPlan; ids: ReadonlyMap<string, number> },
  translate: ReturnType<typeof errorTranslator>,
): ImportSummary => {
  const paths = new Map(plan.objects.map((object) => [objectKey(object), object.path]))
  return {
    type: plan.type,
    objects: plan.objects.map((object) =>
      toImportedObject(object, ids.get(object.path), {
        problem: (found) => listProblems(found, translate),
        note: (text) => translateMessage(text, translate),
        path: (key) => paths.get(key),
      }),
    ),
  }
}
