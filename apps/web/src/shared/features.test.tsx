import { expect, it, vi } from 'vitest'
import { boot } from './boot.ts'
import { hasFeature } from './features.ts'

it('PERM-039, PERM-040: a flag that cannot be read is logged and off', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { feature_flags } = boot.common
  boot.common.feature_flags = { ON: true, OFF: false }
  expect(['ON', 'OFF', 'MISSING'].map(hasFeature)).toEqual([true, false, false])
  expect(error).not.toHaveBeenCalled()
  boot.common.feature_flags = undefined as never
  expect(hasFeature('ON')).toBe(false)
  expect(error).toHaveBeenCalledExactlyOnceWith('Failed to query feature flag ON')
  boot.common.feature_flags = feature_flags
  error.mockRestore()
})
