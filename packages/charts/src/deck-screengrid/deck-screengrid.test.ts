import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'deck-screengrid')
