import LRU from 'zrender/lib/core/LRU.js'

/**
 * ECharts keeps the widths of texts in plain objects by the texts themselves: a label `__proto__` would be answered with the
 * prototype of all objects, and written into it. Import this before anything is drawn.
 */
const { get, put } = LRU.prototype
Object.assign(LRU.prototype, {
  get(this: LRU<unknown>, key: string | number): unknown {
    return get.call(this, `:${key}`)
  },
  put(this: LRU<unknown>, key: string | number, value: unknown): unknown {
    return put.call(this, `:${key}`, value)
  },
})
