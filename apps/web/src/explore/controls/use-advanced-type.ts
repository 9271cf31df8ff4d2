import { useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { hasFeature } from '../../shared/features.ts'
import { useDebounced } from '../../shared/use-debounced.ts'

/** CTRL-087. */
const debounceMs = 600

export interface AdvancedType {
  /** Operators that the type supports; null if the column has no advanced type. */
  operators: readonly string[] | null
  /** Display text of the converted values. */
  display: string
  error: string | null
  /** The typed values were converted and are valid. */
  isPassed: boolean
}

const none: AdvancedType = { operators: null, display: '', error: null, isPassed: true }

/**
 * Converts typed values of a column with an advanced data type (port names, networks) on the server.
 * @param values  of the filter; if empty, only the operators of the type are requested
 */
export function useAdvancedType(type: string | null | undefined, values: readonly unknown[]): AdvancedType {
  const t = useTranslate()
  const isOn = hasFeature('ENABLE_ADVANCED_DATA_TYPES') && Boolean(type)
  const typed = JSON.stringify(values.length > 0 ? values : [''])
  const debounced = useDebounced(typed, debounceMs)
  const { data, isError } = useQuery({
    queryKey: ['advanced-type', type, debounced],
    queryFn: async ({ signal }) => {
      const q = { type: type ?? '', values: JSON.parse(debounced) as unknown[] }
      return (await api.get('/api/v1/advanced_data_type/convert', { q, signal })).result
    },
    enabled: isOn,
    staleTime: Infinity,
    retry: false,
    placeholderData: (before) => before,
  })
  if (!isOn) return none
  const failed = t('explore.filter.advancedFailed', 'Failed to retrieve advanced type')
  const isCurrent = debounced === typed && values.length > 0
  return {
    operators: data?.valid_filter_operators ?? null,
    display: isCurrent && data ? data.display_value : '',
    error: isError ? failed : isCurrent && data?.error_message ? data.error_message : null,
    isPassed: values.length === 0 || (isCurrent && data !== undefined && data.error_message === ''),
  }
}
