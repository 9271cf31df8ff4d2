import type { RowLevelSecurityRulePreview, RuleType } from '@parquetry/model'
import { previewLimits } from '@parquetry/model/rule-preview-limits'
import { Banner, Button, ErrorPanel, Select, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatNumber } from '../../shared/formats.ts'
import { loadRelated } from '../../shared/related-options.ts'
import { isAdmin } from '../../shared/rights.ts'
import styles from './rules.module.css'
import { subjectTypeLabel } from './subjects.ts'

/** The parts of a rule that decide who sees what. */
export interface RuleDraft {
  id: number | null
  filter_type: RuleType
  tables: number[]
  subjects: number[]
  clause: string
  group_key: string | null
}

interface RulePreviewProps {
  draft: RuleDraft
  disabledReason: string | undefined
  /** Called with the problem of the clause that was previewed. */
  onChecked(clause: string, problem: RowLevelSecurityRulePreview['problem']): void
}

/** Rows that each subject, and a chosen user, see today and with the rule. It counts on request, since that may take a while. */
export function RulePreview({ draft, disabledReason, onChecked }: RulePreviewProps) {
  const t = useTranslate()
  const [user, setUser] = useState<string | null>(null)
  const [requested, setRequested] = useState<string | null>(null)
  const current = JSON.stringify({ ...draft, user: user === null ? null : Number(user) })
  const isCurrent = requested === current
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['rowlevelsecurity', 'preview', requested],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(requested ?? '') as RuleDraft
      const preview = await api.post('/api/v1/rowlevelsecurity/preview', { body, signal })
      onChecked(body.clause, preview.problem)
      return preview
    },
    enabled: requested !== null,
    retry: false,
    gcTime: 0,
  })
  // The result is below the button, outside of the visible part of the dialog.
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (data) section.current?.scrollIntoView({ block: 'nearest' })
  }, [data])
  const run = (): void => (isCurrent ? void refetch() : setRequested(current))
  return (
    <section ref={section} className={styles.preview} aria-label={t('lists.rules.preview', 'Preview')}>
      <div className={styles.previewBar}>
        <Button icon="eye" onClick={run} busy={isFetching} disabledReason={disabledReason}>
          {t('lists.rules.preview', 'Preview')}
        </Button>
        {isAdmin && (
          <Select
            compact
            clearable
            aria-label={t('lists.rules.previewUser', 'As user')}
            placeholder={t('lists.rules.previewUser', 'As user')}
            prefix={`${t('lists.rules.previewUser', 'As user')}:`}
            value={user}
            load={loadRelated('rowlevelsecurity', 'created_by')}
            onChange={setUser}
          />
        )}
      </div>
      {error && isCurrent && !isFetching && <ErrorPanel inline>{messageOf(error)}</ErrorPanel>}
      {data && (
        <div className={styles.result} aria-live="polite" data-outdated={!isCurrent || undefined}>
          {!isCurrent && (
            <p className={styles.note}>
              {t('lists.rules.previewOutdated', 'The rule was changed since this preview.')}
            </p>
          )}
          {(draft.tables.length > previewLimits.tables || draft.subjects.length > previewLimits.subjects) && (
            <p className={styles.note}>
              {t(
                'lists.rules.previewLimits',
                'Counted for the first {tables} datasets and {subjects} users, roles or groups.',
                previewLimits,
              )}
            </p>
          )}
          <Counts preview={data} />
        </div>
      )}
    </section>
  )
}

function Counts({ preview: { problem, result } }: { preview: RowLevelSecurityRulePreview }) {
  const t = useTranslate()
  if (problem)
    return (
      <Banner tone="danger" inline>
        {problem.line_number === null
          ? `${problem.table}: ${problem.message}`
          : t('lists.rules.problemAt', '{table}, line {line}, column {column}: {message}', {
              table: problem.table,
              line: problem.line_number,
              column: problem.start_column ?? 1,
              message: problem.message,
            })}
      </Banner>
    )
  const rows = result.flatMap(({ id, table_name, subjects, user }) => [
    ...subjects.map(({ subject, before, after }) => ({
      key: `${id} ${subject?.id}`,
      table_name,
      name: subject?.label ?? t('lists.rules.otherUsers', 'All other users'),
      kind: subject && subjectTypeLabel(t, subject.type),
      before,
      after,
    })),
    ...(user
      ? [{ key: `${id} user`, table_name, name: t('lists.rules.chosenUser', 'Chosen user'), kind: null, ...user }]
      : []),
  ])
  return (
    <>
      {rows.some(({ before, after }) => before === null || after === null) && (
        <p className={styles.note}>
          {isAdmin
            ? t('lists.rules.personal', 'A clause depends on the user. Choose a user to see their rows.')
            : t('lists.rules.personalOthers', 'A clause depends on the user, so not all rows can be counted.')}
        </p>
      )}
      {rows.length > 0 && (
        <div
          className={styles.scroll}
          tabIndex={0}
          role="region"
          aria-label={t('lists.rules.counts', 'Number of rows')}
        >
          <table className={`${styles.counts} ${styles.wrapping}`}>
            <thead>
              <tr>
                <th scope="col">{t('lists.rules.dataset', 'Dataset')}</th>
                <th scope="col">{t('lists.rules.whoSees', 'Who sees rows')}</th>
                <th scope="col">{t('lists.rules.rowsNow', 'Rows now')}</th>
                <th scope="col">{t('lists.rules.rowsAfter', 'Rows with the rule')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, table_name, name, kind, before, after }) => (
                <tr key={key}>
                  <td>{table_name}</td>
                  <td>
                    {name} {kind && <small className={styles.kind}>{kind}</small>}
                  </td>
                  <Count number={before} />
                  <Count number={after} isChanged={before !== after} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {result.map(
        ({ id, table_name, user, samples }) => user && <Samples key={id} table={table_name} rows={samples} />,
      )}
    </>
  )
}

function Count({ number, isChanged = false }: { number: number | null; isChanged?: boolean }) {
  const t = useTranslate()
  return number === null ? (
    <td className={styles.note}>{t('lists.rules.byUser', 'Depends on the user')}</td>
  ) : (
    <td data-changed={isChanged || undefined}>{formatNumber(number)}</td>
  )
}

/** The first rows that the chosen user will see. */
function Samples({ table, rows }: { table: string; rows: Record<string, unknown>[] }) {
  const t = useTranslate()
  const [first] = rows
  if (!first)
    return <p className={styles.note}>{t('lists.rules.noSamples', 'The user sees no rows of {table}.', { table })}</p>
  return (
    <>
      <p className={styles.note}>
        {t('lists.rules.samples', 'Up to {limit} rows of {table} that the user sees:', {
          limit: previewLimits.samples,
          table,
        })}
      </p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={table}>
        <table className={styles.counts}>
          <thead>
            <tr>
              {Object.keys(first).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Rows have no identity, and their order does not change.
              <tr key={index}>
                {Object.entries(row).map(([name, value]) => (
                  <td key={name}>{value === null ? <i>NULL</i> : String(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
