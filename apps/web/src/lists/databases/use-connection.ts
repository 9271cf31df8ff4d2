import { ApiError } from '@parquetry/client'
import { toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../shared/api.ts'
import {
  connectionBody,
  listFields,
  hasRepeatedName,
  isEmpty,
  isSameConnection,
  validationBody,
  type ConnectionDraft,
  type Engine,
} from './connection.ts'
import { fieldErrors } from './field-errors.ts'
import { optionsBody, type DatabaseOptions } from './options.ts'
import { describeAccountPowers } from './powers.ts'

export interface InitialConnection {
  draft: ConnectionDraft
  options: DatabaseOptions
}

/** Validates, tests and saves a connection draft. Its secrets stay in memory and are sent only to the server. */
export function useConnection(
  engine: Engine,
  start: InitialConnection,
  { id, onSaved }: { id: number | undefined; onSaved(id: number, name: string): void },
) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(start.draft)
  const [options, setOptions] = useState(start.options)
  const [errors, setErrors] = useState<Record<string, string>>({})
  /** Number of submissions refused because of a missing field. */
  const [attempts, setAttempts] = useState(0)
  const checks = useRef(0)
  const isImpersonating = options.impersonate_user && !start.options.impersonate_user
  const isMoved = id === undefined || isImpersonating || !isSameConnection(draft, start.draft, engine)
  const missingText = t('lists.connect.required', 'This is a required field')
  const required = listFields(engine).filter((field) => field.required)

  /** Errors of the fields that are required before a request. */
  function missing(): Record<string, string> {
    const names = [
      ...(draft.name.trim() ? [] : ['database_name']),
      ...(draft.by === 'uri'
        ? draft.uri.trim()
          ? []
          : ['sqlalchemy_uri']
        : required.filter(({ name }) => isEmpty(draft.parameters[name])).map(({ name }) => name)),
      ...(draft.tunnel && !draft.tunnel.server_address.trim() ? ['ssh_tunnel.server_address'] : []),
      ...(draft.tunnel && !draft.tunnel.username.trim() ? ['ssh_tunnel.username'] : []),
      ...(draft.tunnel && draft.tunnel.server_port === null ? ['ssh_tunnel.server_port'] : []),
      ...(draft.tunnel && isEmpty(draft.tunnel[draft.tunnel.by]) ? [`ssh_tunnel.${draft.tunnel.by}`] : []),
    ]
    const repeated = listFields(engine).filter(
      ({ name }) => draft.by === 'fields' && hasRepeatedName(draft.parameters[name]),
    )
    const repeatedText = t('lists.connect.repeated', 'Each parameter can be used only once')
    return Object.fromEntries([
      ...names.map((name) => [name, missingText]),
      ...repeated.map(({ name }) => [name, repeatedText]),
    ])
  }
  const note = (error: unknown): void => {
    if (error instanceof ApiError) setErrors(fieldErrors(error, true, missingText))
  }
  const test = useMutation({
    // Masks refer to the stored database, which the server finds by its current name.
    mutationFn: () =>
      api.post('/api/v1/database/test_connection/', {
        body: {
          ...connectionBody(draft, engine),
          impersonate_user: options.impersonate_user,
          database_name: id === undefined ? draft.name.trim() : start.draft.name,
        },
      }),
    onError: note,
  })
  const save = useMutation({
    mutationFn: async () => {
      const tested = isMoved ? await test.mutateAsync() : undefined
      const powers = (tested?.parquetry?.warnings ?? []).map(({ power }) => power)
      const body = {
        database_name: draft.name.trim(),
        ...optionsBody(options),
        ...(isMoved && connectionBody(draft, engine)),
      }
      if (id === undefined) return { saved: (await api.post('/api/v1/database/', { body })).id, powers }
      await api.put('/api/v1/database/:id', { params: { id }, body })
      return { saved: id, powers }
    },
    onSuccess: async ({ saved, powers }) => {
      await queries.invalidateQueries({ queryKey: ['database'] })
      if (id !== undefined) toast(t('lists.saved', 'Saved: {name}', { name: draft.name }))
      const warnings = describeAccountPowers(powers, options.allow_dml, t)
      if (warnings.length > 0) toast(warnings.join(' '), { kind: 'warning' })
      onSaved(saved, draft.name.trim())
    },
    onError: note,
  })

  return {
    draft,
    options,
    errors,
    attempts,
    isDirty: draft !== start.draft || options !== start.options,
    test,
    save,
    /** Error of the test, or of saving after a successful test. */
    failure: (test.error ?? save.error) as unknown,
    change(patch: Partial<ConnectionDraft>, ...named: string[]): void {
      checks.current++
      setDraft((before) => ({ ...before, ...patch }))
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !named.includes(name))))
      test.reset()
      save.reset()
    },
    changeOptions(next: DatabaseOptions): void {
      setOptions(next)
      save.reset()
      // The test signs in as the impersonated user.
      if (next.impersonate_user !== options.impersonate_user) test.reset()
    },
    /** Called on blur: reports a missing value, and validates all fields on the server if none is missing. */
    async left(name: string): Promise<void> {
      const absent = missing()
      const isMissing = Object.hasOwn(absent, name)
      setErrors(({ [name]: had, ...others }) =>
        isMissing
          ? { ...others, [name]: missingText }
          : had === missingText || had === undefined
            ? others
            : { ...others, [name]: had },
      )
      if (Object.keys(absent).length > 0 || draft.by === 'uri' || !isMoved || draft === start.draft) return
      const check = ++checks.current
      try {
        await api.post('/api/v1/database/validate_parameters/', {
          body: { ...validationBody(draft, engine), ...(id !== undefined && { id }) },
        })
        if (check === checks.current) setErrors({})
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (check === checks.current) setErrors(fieldErrors(error, false, missingText))
      }
    },
    /** Called by a button, so all errors are reported. */
    attempt(action: 'test' | 'save'): void {
      const absent = missing()
      setErrors(absent)
      if (Object.keys(absent).length > 0) return setAttempts((count) => count + 1)
      checks.current++
      if (action === 'test') test.mutate()
      else save.mutate()
    },
  }
}
