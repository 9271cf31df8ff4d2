import {
  confirm,
  EmptyState,
  ErrorPanel,
  Icon,
  IconButton,
  Link,
  Pager,
  Select,
  Skeleton,
  StatusChip,
  TextInput,
  toast,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { userId } from '../../shared/rights.ts'
import { loadSubjectsOfType } from '../../shared/subject-options.ts'
import styles from './roles.module.css'
import { membersPerPage, useMembers } from './use-role.ts'

interface MemberRef {
  type: 'user' | 'group'
  id: number
  label: string
}

interface MembersProps {
  id: number
  role: string
  onChanged(): void
}

/** The users and groups that hold a role. Changes act at once, on the next call of those concerned. */
export function Members({ id, role, onChanged }: MembersProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [filter, setFilter] = useState('')
  const [page, setPage] = useState(0)
  const members = useMembers(id, useDeferredValue(filter.trim()), page)
  const change = useMutation({
    mutationFn: async ({ member: { type, id: other }, add }: { member: MemberRef; add: boolean }) => {
      const field = `${add ? 'add' : 'remove'}_${type}s`
      await api.post('/api/v1/security/roles/:id/members/', { params: { id }, body: { [field]: [other] } })
    },
    onSuccess: async (_, { member, add }) => {
      if (add) toast(t('roles.members.added', '{name} has the role {role} now', { name: member.label, role }))
      else
        toast(t('roles.members.removed', '{name} no longer has the role {role}', { name: member.label, role }), {
          action: { label: t('roles.members.undo', 'Undo'), run: () => change.mutate({ member, add: true }) },
        })
      onChanged()
      await queries.invalidateQueries({ queryKey: ['security/roles', 'members', id] })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const remove = async (member: MemberRef): Promise<void> => {
    const isSelf = member.type === 'user' && member.id === userId
    const confirmed =
      !isSelf ||
      (await confirm({
        title: t('roles.members.self', 'Take the role {role} from yourself?', { role }),
        body: t('roles.members.selfText', 'You lose its permissions at once, and may not be able to give it back.'),
        action: t('roles.members.selfAction', 'Take the role from me'),
      }))
    if (confirmed) change.mutate({ member, add: false })
  }
  const add = (type: MemberRef['type']) => (value: string | null, option: { label: string } | null) => {
    if (value !== null) change.mutate({ member: { type, id: Number(value), label: option?.label ?? value }, add: true })
  }
  const { data, error, refetch } = members
  return (
    <>
      <div className={styles.toolbar}>
        <Select<string>
          className={styles.add}
          icon="plus"
          aria-label={t('roles.members.addUser', 'Add a user')}
          placeholder={t('roles.members.addUser', 'Add a user')}
          value={null}
          load={loadSubjectsOfType('user')}
          onChange={add('user')}
        />
        <Select<string>
          className={styles.add}
          icon="plus"
          aria-label={t('roles.members.addGroup', 'Add a group')}
          placeholder={t('roles.members.addGroup', 'Add a group')}
          nothing={t('roles.members.noGroups', 'No groups')}
          value={null}
          load={loadSubjectsOfType('group')}
          onChange={add('group')}
        />
        <TextInput
          className={styles.search}
          icon="search"
          type="search"
          clearable
          aria-label={t('roles.members.search', 'Search members')}
          placeholder={t('roles.members.search', 'Search members')}
          value={filter}
          onChange={(text) => {
            setFilter(text)
            setPage(0)
          }}
        />
        <p role="status" className={styles.count}>
          {data && t('roles.members.count', '{n, plural, one {# member} other {# members}}', { n: data.count })}
        </p>
      </div>
      {error ? (
        <ErrorPanel inline onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorPanel>
      ) : !data ? (
        <div aria-busy="true">
          <Skeleton height={120} />
        </div>
      ) : data.result.length === 0 ? (
        <EmptyState
          inline
          title={
            filter.trim() === ''
              ? t('roles.members.none', 'No members yet')
              : t('roles.members.noMatch', 'Nothing matches')
          }
        />
      ) : (
        <ul className={styles.pairs} aria-label={t('roles.members.label', 'Members')}>
          {data.result.map((member) => (
            <li key={`${member.type} ${member.id}`} className={styles.pair}>
              <span className={styles.grant}>
                <Icon name={member.type === 'user' ? 'user' : 'rows'} />
                <Link href={member.type === 'user' ? `/users/?edit=${member.id}` : `/list_groups/?edit=${member.id}`}>
                  {member.label}
                </Link>
                <span className={styles.code}>
                  {member.type === 'group' ? t('roles.members.group', 'Group') : member.secondary_label}
                </span>
                {member.active === false && (
                  <StatusChip tone="neutral">{t('roles.members.inactive', 'Inactive')}</StatusChip>
                )}
              </span>
              <IconButton
                icon="close"
                label={t('roles.members.remove', 'Take the role from {name}', { name: member.label })}
                onClick={() => void remove(member)}
              />
            </li>
          ))}
        </ul>
      )}
      {data && data.count > membersPerPage && (
        <Pager page={page} pageSize={membersPerPage} count={data.count} onPage={setPage} />
      )}
    </>
  )
}
