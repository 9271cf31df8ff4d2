import { AppError, message } from '@parquetry/model'
import {
  isTemplate,
  renderTemplate,
  TemplateError,
  type TemplateFilter,
  UserAttributeError,
} from '@parquetry/templates'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { DatabaseRow } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { RenderClause } from '../row-level-security/restrict-sql.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { isTemplating, parseTemplateParams, refuseDisabledTemplate, templateContext } from './context.ts'

/**
 * Renders the templates in SQL Lab text; returns the text itself when it contains none. Parameters
 * belong to the user, so they are inserted unchanged; `_filters` among them replaces the filters that a chart would have.
 * @throws AppError `template_missing` with `undefined_parameters` and `template_parameters`; `template_invalid`, also for a template
 * while templates are disabled
 */
export async function renderSql(
  deps: ConnectionDeps,
  principal: Principal,
  database: DatabaseRow,
  {
    sql,
    templateParams,
    name,
    isRule = false,
    ...namespace
  }: Namespace & { sql: string; templateParams?: string | null; name: string; isRule?: boolean },
): Promise<string> {
  if (!isTemplate(sql)) return sql
  if (!isRule && !isTemplating(deps)) {
    refuseDisabledTemplate(database, [sql])
    return sql
  }
  const { _filters, ...values } = parseTemplateParams(templateParams)
  const context = templateContext(
    deps,
    principal,
    {
      database,
      ...namespace,
      values,
      ofViewers: {},
      names: [],
      url_params: new Map(),
      filters: Array.isArray(_filters) ? _filters.filter(isFilter) : [],
      time_range: null,
      rules: [],
      datasetId: null,
    },
    { applied: new Set(), removed: new Set() },
  )
  const missing = (names: string[]) =>
    new AppError('template_missing', {
      message:
        names.length === 1
          ? message(
              'errors.templates.missingParameter',
              `Failed to execute query '{name}' - '{sql}': The parameter "{parameter}" in your query is undefined. \n Please check your template parameters for syntax errors and make sure they match across your SQL query and Set Parameters. Then, try running your query again.`,
              { name, sql, parameter: names[0] },
            )
          : message(
              'errors.templates.missingParameters',
              `Failed to execute query '{name}' - '{sql}': The following parameters in your query are undefined: {parameters}. \n Please check your template parameters for syntax errors and make sure they match across your SQL query and Set Parameters. Then, try running your query again.`,
              { name, sql, parameters: names.map((parameter) => `"${parameter}"`).join(', ') },
            ),
      details: { undefined_parameters: names, template_parameters: values },
    })
  try {
    const { text, unknown } = await renderTemplate(sql, context)
    if (unknown.length > 0) throw missing(unknown)
    return text
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    if (error.undefinedName !== null) throw missing([error.undefinedName])
    if (error instanceof UserAttributeError)
      throw new AppError('template_invalid', { message: error.sentence, cause: error })
    throw new AppError('template_invalid', {
      message: message(
        'errors.templates.malformed',
        `Failed to execute query '{name}' - '{sql}': The query contains one or more malformed template parameters. \n Please check your query and confirm that all template parameters are surround by double braces, for example, "{{ ds }}". Then, try running your query again.`,
        { name, sql },
      ),
      detailMessages: { reason: error.sentence },
      cause: error,
    })
  }
}

/** Renders rules that are inserted into SQL text. Only administrators write rules, so their templates are always enabled. */
export const ruleRenderer =
  (deps: ConnectionDeps, principal: Principal, database: DatabaseRow): RenderClause =>
  (sql, namespace) =>
    renderSql(deps, principal, database, { sql, name: 'row-level security rule', isRule: true, ...namespace })

const isFilter = (value: unknown): value is TemplateFilter & { [name: string]: never } =>
  typeof value === 'object' && value !== null && 'col' in value && 'op' in value && 'val' in value
