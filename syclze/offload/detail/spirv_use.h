/* The ids that an instruction of SPIR-V defines and uses: enough of the grammar to find all that a
 * function reaches.
 *
 * Unlisted instructions are assumed to have ids for operands: they may reach too much, never too
 * little. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SPIRV_USE_H
#define SYCLZE_OFFLOAD_DETAIL_SPIRV_USE_H

#include "../spirv.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Opcodes from first to last: the first word that is not an id, and the number of such words. A
 * label counts as none, since only its own function uses it. 0 words: the operands of a memory
 * access. */
#define SYCLZE__SPIRV_REST 0xffffu
#define SYCLZE__SPIRV_ACCESS 0u
/* clang-format off */
#define SYCLZE__SPIRV_LITERALS(X) \
  X(2, 4, 1, SYCLZE__SPIRV_REST)      /* Source and its like */ \
  X(7, 7, 2, SYCLZE__SPIRV_REST)      /* String */ \
  X(8, 8, 2, 2)                       /* Line */ \
  X(11, 11, 2, SYCLZE__SPIRV_REST)    /* ExtInstImport */ \
  X(12, 12, 4, 1)                     /* ExtInst */ \
  X(21, 21, 2, 2)                     /* TypeInt */ \
  X(22, 22, 2, SYCLZE__SPIRV_REST)    /* TypeFloat */ \
  X(23, 24, 3, 1)                     /* TypeVector, TypeMatrix */ \
  X(25, 25, 3, SYCLZE__SPIRV_REST)    /* TypeImage */ \
  X(31, 31, 2, SYCLZE__SPIRV_REST)    /* TypeOpaque */ \
  X(32, 32, 2, 1)                     /* TypePointer */ \
  X(38, 38, 2, 1)                     /* TypePipe */ \
  X(43, 43, 3, SYCLZE__SPIRV_REST)    /* Constant */ \
  X(45, 45, 3, SYCLZE__SPIRV_REST)    /* ConstantSampler */ \
  X(50, 50, 3, SYCLZE__SPIRV_REST)    /* SpecConstant */ \
  X(52, 52, 3, 1)                     /* SpecConstantOp */ \
  X(54, 54, 3, 1)                     /* Function */ \
  X(59, 59, 3, 1)                     /* Variable */ \
  X(61, 61, 4, SYCLZE__SPIRV_ACCESS)  /* Load */ \
  X(62, 63, 3, SYCLZE__SPIRV_ACCESS)  /* Store, CopyMemory */ \
  X(64, 64, 4, SYCLZE__SPIRV_ACCESS)  /* CopyMemorySized */ \
  X(68, 68, 4, 1)                     /* ArrayLength */ \
  X(79, 79, 5, SYCLZE__SPIRV_REST)    /* VectorShuffle */ \
  X(81, 81, 4, SYCLZE__SPIRV_REST)    /* CompositeExtract */ \
  X(82, 82, 5, SYCLZE__SPIRV_REST)    /* CompositeInsert */ \
  X(87, 88, 5, 1)                     /* ImageSample */ \
  X(89, 90, 6, 1)                     /* ImageSampleDref */ \
  X(91, 92, 5, 1)                     /* ImageSampleProj */ \
  X(93, 94, 6, 1)                     /* ImageSampleProjDref */ \
  X(95, 95, 5, 1)                     /* ImageFetch */ \
  X(96, 97, 6, 1)                     /* ImageGather, ImageDrefGather */ \
  X(98, 98, 5, 1)                     /* ImageRead */ \
  X(99, 99, 4, 1)                     /* ImageWrite */ \
  X(123, 123, 4, 1)                   /* GenericCastToPtrExplicit */ \
  X(246, 249, 1, SYCLZE__SPIRV_REST)  /* LoopMerge, SelectionMerge, Label, Branch */ \
  X(250, 251, 2, SYCLZE__SPIRV_REST)  /* BranchConditional, Switch */ \
  X(256, 257, 2, 1)                   /* LifetimeStart, LifetimeStop */ \
  X(264, 271, 4, 1)                   /* GroupIAdd and its like */ \
  X(323, 323, 3, SYCLZE__SPIRV_REST)  /* ConstantPipeStorage */ \
  X(342, 342, 4, 1)                   /* GroupNonUniformBallotBitCount */ \
  X(349, 364, 4, 1)                   /* GroupNonUniformIAdd and its like */ \
  X(4450, 4452, 5, 1)                 /* SDot and its like */ \
  X(4453, 4455, 6, 1)                 /* SDotAccSat and its like */ \
  X(5887, 5887, 1, SYCLZE__SPIRV_REST) /* LoopControlINTEL */ \
  X(6401, 6408, 4, 1)                 /* GroupIMulKHR and its like */
/* Instructions outside of functions that define something, and the word of its id. */
#define SYCLZE__SPIRV_DEFINITIONS(X) \
  X(1, 1, 2)       /* Undef */ \
  X(7, 7, 1)       /* String */ \
  X(11, 11, 1)     /* ExtInstImport */ \
  X(12, 12, 2)     /* ExtInst */ \
  X(19, 38, 1)     /* types */ \
  X(41, 46, 2)     /* constants */ \
  X(48, 52, 2)     /* specialisation constants */ \
  X(54, 54, 2)     /* Function */ \
  X(59, 59, 2)     /* Variable */ \
  X(73, 73, 1)     /* DecorationGroup */ \
  X(322, 322, 1)   /* TypePipeStorage */ \
  X(323, 323, 2)   /* ConstantPipeStorage */ \
  X(327, 327, 1)   /* TypeNamedBarrier */ \
  X(4456, 4456, 1) /* TypeCooperativeMatrixKHR */ \
  X(5600, 5600, 2) /* ConstantFunctionPointerINTEL */ \
  X(5911, 5913, 1) /* alias domains, scopes and lists of them */ \
  X(6086, 6086, 1) /* TypeBufferSurfaceINTEL */
/* Instructions in functions that define nothing. */
#define SYCLZE__SPIRV_EFFECTS(X) \
  X(0u, 0u)     /* Nop */ \
  X(2, 4)       /* Source and its like */ \
  X(8, 8)       /* Line */ \
  X(56, 56)     /* FunctionEnd */ \
  X(62, 64)     /* Store, CopyMemory, CopyMemorySized */ \
  X(99, 99)     /* ImageWrite */ \
  X(218, 225)   /* vertices and barriers */ \
  X(228, 228)   /* AtomicStore */ \
  X(246, 247)   /* LoopMerge, SelectionMerge */ \
  X(249, 257)   /* branches, returns, lifetimes */ \
  X(260, 260)   /* GroupWaitEvents */ \
  X(280, 281)   /* CommitReadPipe, CommitWritePipe */ \
  X(287, 288)   /* GroupCommitReadPipe, GroupCommitWritePipe */ \
  X(297, 298)   /* RetainEvent, ReleaseEvent */ \
  X(301, 302)   /* SetUserEventStatus, CaptureEventProfilingInfo */ \
  X(317, 317)   /* NoLine */ \
  X(319, 319)   /* AtomicFlagClear */ \
  X(329, 329)   /* MemoryNamedBarrier */ \
  X(4426, 4426) /* UntypedPrefetchKHR */ \
  X(4458, 4458) /* CooperativeMatrixStoreKHR */ \
  X(5576, 5576) /* SubgroupBlockWriteINTEL */ \
  X(5578, 5578) /* SubgroupImageBlockWriteINTEL */ \
  X(5581, 5581) /* SubgroupImageMediaBlockWriteINTEL */ \
  X(5630, 5630) /* AssumeTrueKHR */ \
  X(5820, 5820) /* RestoreMemoryINTEL */ \
  X(5887, 5887) /* LoopControlINTEL */ \
  X(6096, 6096) /* CompositeConstructContinuedINTEL */ \
  X(6142, 6143) /* ControlBarrierArriveINTEL, ControlBarrierWaitINTEL */ \
  X(6194, 6194) /* CooperativeMatrixStoreCheckedINTEL */ \
  X(6221, 6221) /* SubgroupBlockPrefetchINTEL */ \
  X(6231, 6236) /* Subgroup2DBlock... */ \
  X(6259, 6259) /* PredicatedStoreINTEL */ \
  X(6429, 6429) /* MaskedScatterINTEL */ \
  X(6449, 6449) /* CooperativeMatrixPrefetchINTEL */

/* clang-format on */

/* True if a word of an instruction may be an id. The caller has compared it with the length. */
SYCLZE_INLINE bool syclze__spirv_word_is_id(
    const syclze_spirv_instruction *instruction, uint32_t word) {
  uint32_t opcode = instruction->opcode, first = UINT32_MAX, count = SYCLZE__SPIRV_REST;
#define SYCLZE__LITERAL(low, high, word, words)                                                    \
  if (opcode >= low && opcode <= high) first = word, count = words;
  SYCLZE__SPIRV_LITERALS(SYCLZE__LITERAL)
#undef SYCLZE__LITERAL
  if (word < first) return true;
  /* The bits of an access; the second is set if an alignment follows. */
  if (count == SYCLZE__SPIRV_ACCESS)
    count = first < instruction->length && syclze_spirv_word(instruction, first) & 2 ? 2 : 1;
  return word - first >= count;
}

/* The word of the id that an instruction outside of functions defines; 0 for none. */
SYCLZE_INLINE uint32_t syclze__spirv_definition_word(uint32_t opcode) {
#define SYCLZE__DEFINITION(low, high, word)                                                        \
  if (opcode >= low && opcode <= high) return word;
  SYCLZE__SPIRV_DEFINITIONS(SYCLZE__DEFINITION)
#undef SYCLZE__DEFINITION
  return 0;
}

/* The word of the id that an instruction in a function defines; 0 for none. */
SYCLZE_INLINE uint32_t syclze__spirv_local_word(uint32_t opcode) {
  if (opcode == 248) return 1; /* Label */
#define SYCLZE__EFFECT(low, high)                                                                  \
  if (opcode - low <= high - low) return 0;
  SYCLZE__SPIRV_EFFECTS(SYCLZE__EFFECT)
#undef SYCLZE__EFFECT
  return 2;
}

#endif

SYCLZE_EXTERN_C_END

#endif
