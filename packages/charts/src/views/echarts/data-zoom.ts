import { DataZoomSliderComponent } from 'echarts/components'
import { use } from 'echarts/core'

use(DataZoomSliderComponent)
