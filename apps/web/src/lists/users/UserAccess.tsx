import { userDisplayName } from '@parquetry/ui'
import { UserAccessDialog } from '../../account/admin/UserAccessDialog.tsx'
import { useUser } from './use-user.ts'

/** Loads a user and shows how they sign in. */
export function UserAccess({ id, onClose }: { id: number; onClose(): void }) {
  const { data } = useUser(id)
  return data ? (
    <UserAccessDialog user={{ id, name: userDisplayName(data), active: data.active }} onClose={onClose} />
  ) : null
}
