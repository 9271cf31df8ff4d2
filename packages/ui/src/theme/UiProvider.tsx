import './tokens.css'
import './base.css'
import type { ReactNode } from 'react'
import { Toasts } from '../feedback/Toasts.tsx'
import { ConfirmHost } from '../overlays/confirm.tsx'
import { TooltipHost } from '../overlays/TooltipHost.tsx'
import { NavigationContext, type Navigation } from './navigation.tsx'
import { WordsContext, type Words } from './use-text.ts'

export interface UiProviderProps {
  navigation: Navigation
  words: Words
  children: ReactNode
}

/** Everything below may use the components. */
export function UiProvider({ navigation, words, children }: UiProviderProps) {
  return (
    <WordsContext value={words}>
      <NavigationContext value={navigation}>
        {children}
        <ConfirmHost />
        <Toasts />
        <TooltipHost />
      </NavigationContext>
    </WordsContext>
  )
}
