/** Something cannot be done because a name is taken or a world is being advanced. */
export class WorldConflict extends Error {
  override readonly name = "WorldConflict";
  readonly code: "WORLD_EXISTS" | "SNAPSHOT_EXISTS" | "WORLD_BUSY";

  constructor(code: WorldConflict["code"], message: string) {
    super(message);
    this.code = code;
  }
}
