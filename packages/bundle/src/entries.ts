import { AppError, type FieldMessages } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Bundle, BundleMetadata } from './bundle.ts'
import { bundleTypes } from './bundle.ts'

/** A document and its path below the root folder. */
export type BundleEntry = readonly [path: string, document: Record<string, unknown>]

/** @throws AppError `unprocessable` when the metadata is missing or invalid */
export function toBundle(documents: Iterable<BundleEntry>): Bundle {
  const files = new Map(documents)
  const metadata = files.get('metadata.yaml')
  files.delete('metadata.yaml')
  return { metadata: checkMetadata(metadata), files }
}

/** @throws AppError `unprocessable` when the version or type is not supported */
export function checkMetadata(metadata: Record<string, unknown> | undefined): BundleMetadata {
  const problem = (what: FieldMessages): AppError =>
    new AppError('unprocessable', {
      message: message('errors.bundle.import', 'Error importing the bundle'),
      detailMessages: { 'metadata.yaml': what },
    })
  if (!metadata)
    throw problem({
      _schema: [
        message(
          'errors.bundle.noMetadata',
          'The bundle has no metadata.yaml. It is incomplete, or it is not an export.',
        ),
      ],
    })
  const { version, type, timestamp } = metadata
  if (String(version) !== '1.0.0')
    throw problem({ version: [message('errors.bundle.equal', 'Must be equal to {value}.', { value: '1.0.0' })] })
  const known = bundleTypes.find((name) => name === type)
  if (!known)
    throw problem({
      type: [message('errors.fields.choice', 'Must be one of: {choices}.', { choices: bundleTypes.join(', ') })],
    })
  return { version: '1.0.0', type: known, timestamp: typeof timestamp === 'string' ? timestamp : '' }
}
