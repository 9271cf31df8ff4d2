import { ApiError } from '@parquetry/client'
import {
  Banner,
  Button,
  ButtonLink,
  confirm,
  Delayed,
  EmptyState,
  ErrorPanel,
  IconButton,
  Menu,
  PageHeader,
  Skeleton,
  StatusChip,
  Tabs,
  toast,
  useCommand,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { usePage } from '../../shared/page.ts'
import { useTitle } from '../../shared/use-title.ts'
import { role as page } from '../pages.ts'
import { DataAccess } from './DataAccess.tsx'
import { describeBuiltIn } from '../../shared/describe-built-in.ts'
import { isGrant } from './grants.ts'
import { RoleSecondFactor } from '../../account/admin/RoleSecondFactor.tsx'
import { Members } from './Members.tsx'
import { describePermissions, type PermissionPair } from './permission-texts.ts'
import { isForVisitors, PublicAccess } from './PublicAccess.tsx'
import { PermissionMatrix } from './PermissionMatrix.tsx'
import { applyDraft, emptyDraft, isDraftEmpty, reconcileDraft, setHeld } from './role-draft.ts'
import { RoleNameDialog, type RoleNaming } from './RoleNameDialog.tsx'
import styles from './roles.module.css'
import { type Role, useComparedRole, useFeaturePermissions, useRole } from './use-role.ts'

const listHref = '/roles/'

/** One role: what its holders may do, which data they may read, and who holds it. */
export function RolePage() {
  const t = useTranslate()
  const { params } = usePage(page)
  const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : NaN
  const role = useRole(id)
  const title = t('roles.title', 'Roles')
  useTitle([role.data?.name, title])
  if (role.data) return <Editor key={id} role={role.data} reload={async () => (await role.refetch()).data} />
  const isMissing = Number.isNaN(id) || (role.error instanceof ApiError && role.error.status === 404)
  return (
    <div className={styles.page}>
      <PageHeader title={t('roles.one', 'Role')} crumbs={[{ label: title, href: listHref }]} />
      <div className={styles.content}>
        {isMissing ? (
          <EmptyState
            title={t('roles.missing', 'Role not found')}
            actions={<ButtonLink href={listHref}>{t('roles.toList', 'All roles')}</ButtonLink>}
          >
            {t('roles.missingText', 'It was deleted, or the address is wrong.')}
          </EmptyState>
        ) : role.error ? (
          <ErrorPanel onRetry={() => void role.refetch()}>{messageOf(role.error)}</ErrorPanel>
        ) : (
          <Delayed>
            <div aria-busy="true" className={styles.loading}>
              <Skeleton height={28} />
              <Skeleton height={320} />
            </div>
          </Delayed>
        )}
      </div>
    </div>
  )
}

const tabs = ['permissions', 'data', 'members'] as const
type RoleTab = (typeof tabs)[number]

interface EditorProps {
  role: Role
  /** Reads the role again; undefined when that failed. */
  reload(): Promise<Role | undefined>
}

function Editor({ role, reload }: EditorProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const { search, setSearch } = usePage(page)
  const [draft, setDraft] = useState(emptyDraft)
  const [naming, setNaming] = useState<RoleNaming | null>(null)
  const [isDeleted, setDeleted] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const features = useFeaturePermissions()
  const comparedId = /^\d{1,15}$/.test(search['compare'] ?? '') ? Number(search['compare']) : null
  const compared = useComparedRole(comparedId)
  const tab: RoleTab = tabs.find((each) => each === search['tab']) ?? 'permissions'
  const isDirty = !isDraftEmpty(draft)
  useTitle([role.name, t('roles.title', 'Roles')], isDirty ? '•' : undefined)

  const saved = useMemo(() => new Set(role.permissions.map(({ id }) => id)), [role.permissions])
  const held = useMemo(() => applyDraft(draft, role.permissions), [draft, role.permissions])
  const heldIds = useMemo(() => new Set(held.map(({ id }) => id)), [held])
  const areas = useMemo(() => describePermissions(t, features.data ?? []), [features.data, t])
  const change = (pairs: readonly PermissionPair[], isHeld: boolean): void =>
    setDraft((before) => setHeld(before, saved, pairs, isHeld))

  const save = useMutation({
    mutationFn: async () => {
      await api.post('/api/v1/security/roles/:id/permissions', {
        params: { id: role.id },
        body: { permission_view_menu_ids: [...heldIds], changed_on: role.changed_on },
      })
    },
    onSuccess: async () => {
      await refresh()
      setDraft(emptyDraft)
      toast(t('roles.saved', 'Saved: {name}', { name: role.name }))
    },
  })
  /** The save in progress, true if it succeeds; null if there is none. */
  const saving = useRef<Promise<boolean> | null>(null)
  const saveDraft = (): void => {
    const saves = save.mutateAsync().then(
      () => true,
      // The page shows the error of the mutation.
      () => false,
    )
    saving.current = saves
    void saves.then(() => (saving.current = null))
  }
  /** Reads the role again, without losing changes that are not saved. */
  async function refresh(): Promise<void> {
    const next = await reload()
    if (next) setDraft((before) => reconcileDraft(before, new Set(next.permissions.map(({ id }) => id))))
    save.reset()
    await queries.invalidateQueries({ queryKey: ['security/roles', 'list'] })
  }
  /** Opening something to visitors without an account is confirmed. */
  const opensToAnyone = role.name === 'Public' && [...heldIds].some((id) => !saved.has(id))
  async function trySave(): Promise<void> {
    const confirmed =
      !opensToAnyone ||
      (await confirm({
        title: t('roles.public.confirm', 'Open this to everyone?'),
        body: t(
          'roles.public.confirmText',
          'Anyone who can reach this server can use it without an account. Row-level security rules that name roles, groups or users do not restrict visitors; Base rules do.',
        ),
        action: t('roles.public.open', 'Open to everyone'),
      }))
    if (confirmed) saveDraft()
  }
  const isConflict = save.error instanceof ApiError && save.error.status === 409
  const discard = (): void => {
    setDraft(emptyDraft)
    save.reset()
  }
  const saveCommand = useCommand({
    id: 'roles.save',
    label: t('roles.save', 'Save'),
    shortcut: 'Mod+S',
    ...(!isDirty && { disabledReason: t('roles.unchanged', 'No changes to save') }),
    run: () => void trySave(),
  })
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname || (await saving.current) === true) return false
      return !(await confirm({
        title: t('roles.leave', 'Discard changes of {name}?', { name: role.name }),
        body: t('roles.leaveText', 'Changes of its permissions are not saved.'),
        action: t('roles.discard', 'Discard changes'),
        danger: true,
      }))
    },
  })
  const remove = async (): Promise<void> => {
    const confirmed = await confirm({
      title: t('roles.delete', 'Delete the role {name}?', { name: role.name }),
      body: t('lists.delete.forGood', 'This cannot be undone.'),
      action: t('roles.deleteAction', 'Delete role'),
      danger: true,
      typed: role.name,
    })
    if (!confirmed) return
    try {
      await api.del('/api/v1/security/roles/:id', { params: { id: role.id } })
      setDraft(emptyDraft)
      toast(t('lists.deleted', 'Deleted: {names}', { names: role.name }))
      await queries.invalidateQueries({ queryKey: ['security/roles', 'list'] })
      setDeleted(true)
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  // Leaves once the draft is empty, which the blocker reads.
  useEffect(() => {
    if (isDeleted) go(listHref)
  }, [isDeleted, go])

  const fixed = role.fixed_by && (
    <Banner
      inline
      tone="info"
      action={
        <Button icon="copy" onClick={() => setNaming({ kind: 'duplicate', id: role.id, name: role.name })}>
          {t('roles.duplicate', 'Duplicate')}
        </Button>
      }
    >
      {role.fixed_by === 'start'
        ? t(
            'roles.fixed',
            'These permissions are fixed, because they are written again whenever the server starts. Duplicate the role to change a copy.',
          )
        : t(
            'roles.fixedPublic',
            'These permissions are those of another role, as the setting PUBLIC_ROLE_LIKE says, and are written again whenever the server starts.',
          )}
    </Banner>
  )
  const grants = held.filter(isGrant)
  const featureCount = held.length - grants.length
  return (
    <div className={styles.page}>
      <PageHeader
        title={role.name}
        crumbs={[{ label: t('roles.title', 'Roles'), href: listHref }]}
        marks={role.is_built_in && <StatusChip icon="lock">{t('roles.builtIn', 'Built-in')}</StatusChip>}
        actions={
          <>
            {isDirty && <Button onClick={discard}>{t('roles.discard', 'Discard changes')}</Button>}
            <Button variant="primary" command={saveCommand} busy={save.isPending} />
            <Menu
              label={t('roles.more', 'More actions')}
              items={[
                {
                  label: t('roles.duplicate', 'Duplicate'),
                  icon: 'copy',
                  onSelect: () => setNaming({ kind: 'duplicate', id: role.id, name: role.name }),
                },
                ...(role.is_built_in
                  ? []
                  : [
                      {
                        label: t('roles.rename', 'Rename'),
                        icon: 'edit' as const,
                        onSelect: () => setNaming({ kind: 'rename', id: role.id, name: role.name }),
                      },
                      'divider' as const,
                      {
                        label: t('roles.deleteAction', 'Delete role'),
                        icon: 'trash' as const,
                        danger: true,
                        onSelect: () => void remove(),
                      },
                    ]),
              ]}
            >
              <IconButton icon="more" label={t('roles.more', 'More actions')} />
            </Menu>
          </>
        }
      />
      <div className={styles.content}>
        {role.is_built_in && <p className={styles.purpose}>{describeBuiltIn(t, role.name)}</p>}
        {role.name === 'Public' && (
          <PublicAccess
            permissions={role.permissions}
            onOpen={
              role.fixed_by || !features.data ? undefined : () => change(features.data.filter(isForVisitors), true)
            }
            onClose={role.fixed_by ? undefined : () => change(held, false)}
          />
        )}
        {isConflict ? (
          <ErrorPanel
            inline
            title={t('roles.conflict', 'This role has changed')}
            actions={
              <>
                <Button onClick={() => void refresh()}>{t('roles.reload', 'Reload and keep my changes')}</Button>
                <Button
                  variant="quiet"
                  onClick={() => {
                    setDraft(emptyDraft)
                    void refresh()
                  }}
                >
                  {t('roles.reloadOnly', 'Reload and discard them')}
                </Button>
              </>
            }
          >
            {t('roles.conflictText', 'Another user changed it after you opened it. Nothing was saved.')}
          </ErrorPanel>
        ) : (
          (save.error ?? failure) && <ErrorPanel inline>{failure ?? messageOf(save.error)}</ErrorPanel>
        )}
        <Tabs<RoleTab>
          label={t('roles.parts', 'Parts of the role')}
          value={tab}
          onChange={(next) => setSearch({ tab: next === 'permissions' ? null : next }, { replace: true })}
          tabs={[
            {
              value: 'permissions',
              label: t('roles.tab.permissions', 'Permissions'),
              mark: <span className={styles.count}>{featureCount}</span>,
            },
            {
              value: 'data',
              label: t('roles.tab.data', 'Data access'),
              mark: <span className={styles.count}>{grants.length}</span>,
            },
            {
              value: 'members',
              label: t('roles.tab.members', 'Members'),
              mark: <span className={styles.count}>{role.user_count + role.group_count}</span>,
            },
          ]}
        >
          <div className={styles.panel}>
            {tab === 'permissions' &&
              (features.error ? (
                <ErrorPanel inline onRetry={() => void features.refetch()}>
                  {messageOf(features.error)}
                </ErrorPanel>
              ) : !features.data ? (
                <Delayed>
                  <Skeleton height={320} />
                </Delayed>
              ) : (
                <PermissionMatrix
                  id={role.id}
                  name={role.name}
                  areas={areas}
                  isHeld={(id) => heldIds.has(id)}
                  isChanged={(id) => draft.added.has(id) || draft.removed.has(id)}
                  fixed={fixed}
                  onChange={change}
                  compared={
                    compared.data && comparedId !== null
                      ? {
                          id: comparedId,
                          name: compared.data.name,
                          held: new Set(compared.data.permissions.map(({ id }) => id)),
                        }
                      : null
                  }
                  onCompare={(id) => setSearch({ compare: id }, { replace: true })}
                />
              ))}
            {tab === 'data' && (
              <DataAccess
                grants={grants}
                readsAll={
                  role.name.toLowerCase() === 'admin' ||
                  held.some(({ name }) => name === 'all_database_access' || name === 'all_datasource_access')
                }
                onChange={change}
              />
            )}
            {tab === 'members' && (
              <>
                {role.name !== 'Public' && <RoleSecondFactor roleId={role.id} />}
                <Members id={role.id} role={role.name} onChanged={() => void refresh()} />
              </>
            )}
          </div>
        </Tabs>
      </div>
      {naming && (
        <RoleNameDialog
          naming={naming}
          onClose={() => setNaming(null)}
          onSaved={(id) => {
            setNaming(null)
            if (id === role.id) void refresh()
            else go(`/roles/${id}`)
          }}
        />
      )}
    </div>
  )
}
