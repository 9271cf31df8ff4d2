import { vi } from 'vitest'

// Test files of a worker share a process but no state: each loads its own modules and starts with the original globals.
vi.resetModules()
vi.unstubAllGlobals()
vi.useRealTimers()
