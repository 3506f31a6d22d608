import figures400 from './figures-400.woff2?url'
import figures600 from './figures-600.woff2?url'
import poppins400 from './poppins-400.woff2?url'
import poppins600 from './poppins-600.woff2?url'

/** Fonts needed for the first paint of every page. */
export const fontsToPreload = [poppins400, poppins600, figures400, figures600]
