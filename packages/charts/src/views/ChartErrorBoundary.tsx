import { Component, type ReactNode } from 'react'
import { ChartError } from './messages.tsx'

interface Props {
  /** A new response triggers another attempt. */
  frames: unknown
  children: ReactNode
  onFailed: ((error: Error) => void) | undefined
}
interface State {
  error: Error | null
  frames: unknown
}

/** Error boundary that keeps a failed chart from breaking the page. */
export class ChartErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, frames: this.props.frames }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps({ frames }: Props, state: State): Partial<State> | null {
    return frames === state.frames ? null : { error: null, frames }
  }

  override componentDidCatch(error: Error): void {
    this.props.onFailed?.(error)
  }

  override render(): ReactNode {
    return this.state.error ? <ChartError error={this.state.error} /> : this.props.children
  }
}
