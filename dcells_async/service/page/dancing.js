export class Dancing {
  constructor() {}
  leave() {}
}
