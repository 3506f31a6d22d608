/** A number or code as typed, without spaces and hyphens: papers and apps print it in groups. */
export const joinGroups = (typed: string) => typed.replace(/[\s\p{Pd}]/gu, '')
