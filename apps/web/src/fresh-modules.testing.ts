import { vi } from 'vitest'

// Files of a worker share its process, and nothing else: each loads its own modules and finds the globals as they were.
vi.resetModules()
vi.unstubAllGlobals()
vi.useRealTimers()
