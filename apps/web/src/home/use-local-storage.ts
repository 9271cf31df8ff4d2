import { useState } from 'react'

/** Home page state stored in this browser: selected filters and closed sections (CONST-032, CONST-033). */
export function useLocalStorage<T extends string>(
  name: string,
  start: T,
  valid: readonly T[],
): [T, (value: T) => void] {
  const key = `parquetry.home.${name}`
  const [value, setValue] = useState<T>(() => {
    const stored = localStorage.getItem(key)
    return valid.find((one) => one === stored) ?? start
  })
  return [
    value,
    (next) => {
      localStorage.setItem(key, next)
      setValue(next)
    },
  ]
}
