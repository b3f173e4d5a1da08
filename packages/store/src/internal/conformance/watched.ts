export const watched = []
export const lowBalance = []
