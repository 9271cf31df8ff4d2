import { AppError, message, type UploadFormat, type PermissionPair } from '@parquetry/model'
import { holds, type Principal } from '../access/principal.ts'

const pairs: Record<UploadFormat, PermissionPair> = {
  csv: ['can_csv_upload', 'Database'],
  json: ['can_csv_upload', 'Database'],
  xlsx: ['can_excel_upload', 'Database'],
  parquet: ['can_columnar_upload', 'Database'],
}

export const mayUploadAny = (principal: Principal): boolean =>
  principal.kind === 'user' &&
  (holds(principal, ['can_upload', 'Database']) || Object.values(pairs).some((pair) => holds(principal, pair)))

/** @throws AppError `not_signed_in`; `forbidden` with the way to the right */
export function mustUpload(principal: Principal, format?: UploadFormat): void {
  if (principal.kind === 'anonymous') throw new AppError('not_signed_in')
  const isAllowed =
    format === undefined
      ? mayUploadAny(principal)
      : principal.kind === 'user' && (holds(principal, ['can_upload', 'Database']) || holds(principal, pairs[format]))
  if (!isAllowed)
    throw new AppError('forbidden', {
      message: message(
        'errors.upload.noPermission',
        'You don’t have permission to upload files. Ask an administrator to add it to your role.',
      ),
    })
}
