import { englishTranslator } from '@parquetry/model'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import { hideTip } from './overlays/tips.ts'
import { UiProvider } from './theme/UiProvider.tsx'

const i18n = { locale: 'en', messages: {}, translate: englishTranslator }
const navigation = { isOwn: () => false, go: () => undefined }

const Product = ({ children }: { children: ReactNode }) => (
  <UiProvider navigation={navigation} i18n={i18n}>
    {children}
  </UiProvider>
)

/** Waits until React has rendered. Unlike polling it does not advance a fake clock. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))

/**
 * Renders into an empty page like the product, in English and with floating elements, after hiding the tooltip of the previous
 * test.
 */
export function show(children: ReactNode) {
  hideTip(0)
  return render(children, { wrapper: Product })
}
