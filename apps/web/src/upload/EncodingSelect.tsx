import { fileEncodings, type FileEncoding } from '@parquetry/model/table-file/encoding'
import { Select, useTranslate } from '@parquetry/ui'

export const encodingNames: Record<FileEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big-endian)',
  'latin-1': 'Latin-1 (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'iso-8859-2': 'Central European (ISO 8859-2)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  gbk: 'Simplified Chinese (GBK)',
  big5: 'Traditional Chinese (Big5)',
  'shift-jis': 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'euc-kr': 'Korean (EUC-KR)',
}

export interface EncodingSelectProps {
  value: FileEncoding
  compact?: boolean
  onChange(encoding: FileEncoding): void
}

export function EncodingSelect({ value, compact = false, onChange }: EncodingSelectProps) {
  const t = useTranslate()
  return (
    <Select
      compact={compact}
      value={value}
      aria-label={t('upload.options.encoding', 'Encoding')}
      options={fileEncodings.map((each) => ({ value: each, label: encodingNames[each] }))}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  )
}
