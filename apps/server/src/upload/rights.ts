import { AppError, message, type UploadFormat, type PermissionPair } from '@parquetry/model'
import { hasPermission, type Principal } from '../access/principal.ts'

const uploadPermissions: Record<UploadFormat, PermissionPair> = {
  csv: ['can_csv_upload', 'Database'],
  json: ['can_csv_upload', 'Database'],
  xlsx: ['can_excel_upload', 'Database'],
  parquet: ['can_columnar_upload', 'Database'],
}

export const canUploadAny = (principal: Principal): boolean =>
  principal.kind === 'user' &&
  (hasPermission(principal, ['can_upload', 'Database']) ||
    Object.values(uploadPermissions).some((pair) => hasPermission(principal, pair)))

/** @throws AppError `not_signed_in`; `forbidden` with a message how to get the permission */
export function authorizeUpload(principal: Principal, format?: UploadFormat): void {
  if (principal.kind === 'anonymous') throw new AppError('not_signed_in')
  const isAllowed =
    format === undefined
      ? canUploadAny(principal)
      : principal.kind === 'user' &&
        (hasPermission(principal, ['can_upload', 'Database']) || hasPermission(principal, uploadPermissions[format]))
  if (!isAllowed)
    throw new AppError('forbidden', {
      message: message(
        'errors.upload.noPermission',
        'You don’t have permission to upload files. Ask an administrator to add it to your role.',
      ),
    })
}
