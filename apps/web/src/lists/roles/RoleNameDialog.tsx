import { ApiError } from '@parquetry/client'
import { ErrorPanel, toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { NameDialog } from '../../shared/NameDialog.tsx'

/** A role that gets a name: a new one, a copy of a role, or a role itself. */
export type RoleNaming = { kind: 'new' } | { kind: 'duplicate' | 'rename'; id: number; name: string }

interface RoleNameDialogProps {
  naming: RoleNaming
  onClose(): void
  /** @param id  of the role that was created or renamed */
  onSaved(id: number): void
}

export function RoleNameDialog({ naming, onClose, onSaved }: RoleNameDialogProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [initial] = useState(() =>
    naming.kind === 'new'
      ? ''
      : naming.kind === 'rename'
        ? naming.name
        : t('roles.copyName', '{name} copy', { name: naming.name }),
  )
  const [name, setName] = useState(initial)
  const save = useMutation({
    mutationFn: async (chosen: string) => {
      if (naming.kind === 'rename') {
        await api.put('/api/v1/security/roles/:id', { params: { id: naming.id }, body: { name: chosen } })
        return naming.id
      }
      const body = { name: chosen, ...(naming.kind === 'duplicate' && { copy_of: naming.id }) }
      return (await api.post('/api/v1/security/roles/', { body })).id
    },
    onSuccess: async (id, chosen) => {
      toast(t('roles.saved', 'Saved: {name}', { name: chosen }))
      onSaved(id)
      await queries.invalidateQueries({ queryKey: ['security/roles', 'list'] })
    },
  })
  const texts = {
    new: [t('roles.new', 'New role'), t('lists.make', 'Create')],
    duplicate: [t('roles.duplicateTitle', 'Duplicate role'), t('roles.duplicate', 'Duplicate')],
    rename: [t('roles.renameTitle', 'Rename role'), t('roles.rename', 'Rename')],
  } as const
  const [title, action] = texts[naming.kind]
  return (
    <NameDialog
      title={title}
      description={
        naming.kind === 'duplicate'
          ? t(
              'roles.duplicateText',
              'The copy has the same permissions and the same access to data, and no members yet.',
            )
          : undefined
      }
      name={name}
      onName={setName}
      maxLength={64}
      action={action}
      busy={save.isPending}
      dirty={name !== initial}
      onSubmit={(chosen) => save.mutate(chosen)}
      onClose={onClose}
    >
      {save.error && (
        <ErrorPanel inline>
          {save.error instanceof ApiError
            ? (save.error.fields['name']?.[0] ?? messageOf(save.error))
            : messageOf(save.error)}
        </ErrorPanel>
      )}
    </NameDialog>
  )
}
